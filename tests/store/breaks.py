"""An engine that breaks."""

raise ValueError("so")
