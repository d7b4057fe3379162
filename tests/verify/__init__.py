"""The stand-alone verifier: against the cases of its format, public vectors, and receipts made here."""
