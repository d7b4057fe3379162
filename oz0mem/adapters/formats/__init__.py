"""The grammars of small documents, one reader a format; `oz0mem.adapters.documents` chooses among them."""
