"""Work of several processes: an ordered map over a stream of items."""
