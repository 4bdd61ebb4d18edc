"""Tree-sitter: Java text to syntax trees.  The only importer of ``tree_sitter``.

Absent: any meaning.  Trees never leave the process and never outlive the lowering of their file.
"""
