"""Pictures of positions: SVG drawn here, PNG by a library; words for those who do not see them."""
