"""From a result to what is shown of it: columns, rows, a document and a sentence; no framework, no I/O."""
