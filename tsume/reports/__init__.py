"""What commands tell of judgements and explanations, in words and as fields of JSON."""
