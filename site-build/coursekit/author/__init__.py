"""The live preview: what an author saves stands in the browser a moment later."""
