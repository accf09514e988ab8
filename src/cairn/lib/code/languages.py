"""What the grammars of the supported languages call things: one short table each.

A node type that is not listed is looked into, so that definitions behind `export`, in a namespace or between `#ifdef`
are found without being told about.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from cairn.lib.code.model import SymbolKind


class Language(NamedTuple):
    definitions: Mapping[str, SymbolKind]
    """Node types that give something a name."""
    variables: frozenset[str]
    """Node types of the names of variables."""
    locals: Mapping[str, tuple[str, ...]]
    """Node types that declare locals in a function, with the fields or child types in which the names are."""
    scopes: Mapping[str, str] = {}
    """Node types that only put a name in front of what is in them, with the field that has it."""
    imports: frozenset[str] = frozenset()
    """Node types whose order at the top of a file means nothing."""
    title: str = ""


MEMBER_LISTS: Final = frozenset(
    {
        "class_body", "interface_body", "enum_body", "object_type", "field_declaration_list", "enumerator_list",
        "declaration_list", "enum_member_declaration_list", "enum_declaration_list", "enum_class_body",
        "protocol_body", "enum_variant_list", "interface_type", "enum_body_declarations",
    }
)  # fmt: skip
"""What has the members of a class, a struct or an enumeration in it."""

IN_ORDER: Final = frozenset(
    {"enum_body", "enumerator_list", "enum_member_declaration_list", "enum_class_body", "enum_variant_list"}
)
"""Member lists in which a member's value may follow from its place."""

NOT_A_VARIABLE: Final = frozenset(
    {
        ("method_invocation", "name"), ("member_access_expression", "name"), ("scoped_identifier", "name"),
        ("argument", "name"), ("scoped_type_identifier", "name"), ("element_value_pair", "key"),
        ("conditional_access_expression", "name"), ("member_binding_expression", "name"),
        ("labeled_statement", "label"), ("navigation_suffix", ""),
        ("navigation_suffix", "suffix"), ("value_argument_label", ""), ("call", "method"), ("field_access", "field"),
        ("tuple_struct_pattern", "type"), ("struct_pattern", "type"), ("scoped_identifier", "path"),
    }
)  # fmt: skip
"""Parent and field of names that look like variables and belong to something else."""

CONSTRUCTORS: Final = frozenset({"constructor", "init", "initialize", "__construct", "new"})

_SCRIPT: Final = Language(
    title="JavaScript",
    definitions={
        "function_declaration": "function", "generator_function_declaration": "function", "class_declaration": "class",
        "abstract_class_declaration": "class", "interface_declaration": "class", "type_alias_declaration": "class",
        "enum_declaration": "class", "method_definition": "method", "abstract_method_signature": "method",
        "method_signature": "method", "function_signature": "function", "field_definition": "attribute",
        "public_field_definition": "attribute", "property_signature": "attribute", "enum_assignment": "attribute",
        "variable_declarator": "constant",
    },
    variables=frozenset({"identifier"}),
    locals={
        "variable_declarator": ("name",), "for_in_statement": ("left",), "catch_clause": ("parameter",),
        "arrow_function": ("parameters", "parameter"), "function_declaration": ("name",),
    },
    scopes={"internal_module": "name", "module": "name"},
    imports=frozenset({"import_statement"}),
)  # fmt: skip

LANGUAGES: Final[Mapping[str, Language]] = {
    "javascript": _SCRIPT,
    "typescript": _SCRIPT._replace(title="TypeScript"),
    "tsx": _SCRIPT._replace(title="TypeScript"),
    "go": Language(
        title="Go",
        definitions={
            "function_declaration": "function", "method_declaration": "method", "method_elem": "method",
            "type_spec": "class", "type_alias": "class", "field_declaration": "attribute", "const_spec": "constant",
            "var_spec": "constant",
        },
        variables=frozenset({"identifier"}),
        locals={
            "short_var_declaration": ("left",), "var_spec": ("name",), "const_spec": ("name",),
            "range_clause": ("left",), "parameter_declaration": ("name",),
        },
        imports=frozenset({"import_declaration"}),
    ),
    "rust": Language(
        title="Rust",
        definitions={
            "function_item": "function", "function_signature_item": "function", "struct_item": "class",
            "enum_item": "class", "union_item": "class", "trait_item": "class", "type_item": "class",
            "const_item": "constant", "static_item": "constant", "field_declaration": "attribute",
            "enum_variant": "attribute", "macro_definition": "function",
        },
        variables=frozenset({"identifier"}),
        locals={
            "let_declaration": ("pattern",), "for_expression": ("pattern",), "let_condition": ("pattern",),
            "match_pattern": ("*",), "closure_parameters": ("*",),
        },
        scopes={"impl_item": "type", "mod_item": "name"},
        imports=frozenset({"use_declaration", "extern_crate_declaration"}),
    ),
    "java": Language(
        title="Java",
        definitions={
            "class_declaration": "class", "interface_declaration": "class", "enum_declaration": "class",
            "record_declaration": "class", "annotation_type_declaration": "class", "method_declaration": "method",
            "constructor_declaration": "method", "field_declaration": "attribute", "constant_declaration": "attribute",
            "enum_constant": "attribute",
        },
        variables=frozenset({"identifier"}),
        locals={
            "variable_declarator": ("name",), "enhanced_for_statement": ("name",), "catch_formal_parameter": ("name",),
            "lambda_expression": ("parameters",), "resource": ("name",),
        },
        imports=frozenset({"import_declaration"}),
    ),
    "c": Language(
        title="C",
        definitions={
            "function_definition": "function", "declaration": "constant", "struct_specifier": "class",
            "union_specifier": "class", "enum_specifier": "class", "type_definition": "class",
            "field_declaration": "attribute", "enumerator": "attribute", "preproc_def": "constant",
            "preproc_function_def": "function",
        },
        variables=frozenset({"identifier"}),
        locals={"declaration": ("declarator",)},
        imports=frozenset({"preproc_include"}),
    ),
    "cpp": Language(
        title="C++",
        definitions={
            "function_definition": "function", "declaration": "constant", "struct_specifier": "class",
            "class_specifier": "class", "union_specifier": "class", "enum_specifier": "class",
            "type_definition": "class", "alias_declaration": "class", "field_declaration": "attribute",
            "enumerator": "attribute", "preproc_def": "constant", "preproc_function_def": "function",
        },
        variables=frozenset({"identifier"}),
        locals={"declaration": ("declarator",), "for_range_loop": ("declarator",)},
        imports=frozenset({"preproc_include", "using_declaration"}),
    ),
    "csharp": Language(
        title="C#",
        definitions={
            "class_declaration": "class", "struct_declaration": "class", "interface_declaration": "class",
            "record_declaration": "class", "enum_declaration": "class", "delegate_declaration": "function",
            "method_declaration": "method", "constructor_declaration": "method", "property_declaration": "attribute",
            "field_declaration": "attribute", "event_field_declaration": "attribute",
            "enum_member_declaration": "attribute",
        },
        variables=frozenset({"identifier"}),
        locals={
            "variable_declarator": ("name",), "foreach_statement": ("left",), "catch_declaration": ("name",),
            "lambda_expression": ("parameters",), "declaration_expression": ("name",), "declaration_pattern": ("name",),
        },
        imports=frozenset({"using_directive"}),
    ),
    "ruby": Language(
        title="Ruby",
        definitions={
            "class": "class", "module": "class", "method": "method", "singleton_method": "method",
            "assignment": "constant",
        },
        variables=frozenset({"identifier"}),
        locals={
            "assignment": ("left",), "operator_assignment": ("left",), "block_parameters": ("*",),
            "lambda_parameters": ("*",), "for": ("pattern",), "exception_variable": ("*",),
        },
    ),
    "php": Language(
        title="PHP",
        definitions={
            "function_definition": "function", "class_declaration": "class", "interface_declaration": "class",
            "trait_declaration": "class", "enum_declaration": "class", "method_declaration": "method",
            "const_element": "constant", "property_declaration": "attribute", "enum_case": "attribute",
        },
        variables=frozenset({"variable_name"}),
        locals={
            "assignment_expression": ("left",), "foreach_statement": ("variable_name", "pair"),
            "catch_clause": ("name",), "list_literal": ("*",), "static_variable_declaration": ("name",),
        },
        imports=frozenset({"namespace_use_declaration"}),
    ),
    "kotlin": Language(
        title="Kotlin",
        definitions={
            "class_declaration": "class", "object_declaration": "class", "function_declaration": "function",
            "property_declaration": "constant", "enum_entry": "attribute", "type_alias": "class",
        },
        variables=frozenset({"simple_identifier"}),
        locals={"variable_declaration": ("simple_identifier",), "catch_block": ("simple_identifier",)},
        imports=frozenset({"import_header", "import_list"}),
    ),
    "swift": Language(
        title="Swift",
        definitions={
            "class_declaration": "class", "protocol_declaration": "class", "function_declaration": "function",
            "protocol_function_declaration": "function", "init_declaration": "method",
            "property_declaration": "constant", "protocol_property_declaration": "attribute",
            "enum_entry": "attribute", "typealias_declaration": "class",
        },
        variables=frozenset({"simple_identifier"}),
        locals={
            "property_declaration": ("name",), "for_statement": ("item",), "if_statement": ("bound_identifier",),
            "guard_statement": ("bound_identifier",), "lambda_parameter": ("name",), "catch_block": ("error",),
        },
        imports=frozenset({"import_declaration"}),
    ),
    "bash": Language(
        title="Bash",
        definitions={"function_definition": "function", "variable_assignment": "constant"},
        variables=frozenset({"variable_name"}),
        locals={"declaration_command": ("variable_assignment", "variable_name")},
    ),
}  # fmt: skip
