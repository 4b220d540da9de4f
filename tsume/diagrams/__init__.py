"""Pictures of positions: SVG drawn here, PNG by a library; text descriptions."""
