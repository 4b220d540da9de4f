"""Reading and writing files: positions that are given, records, pictures, folders, exports."""
