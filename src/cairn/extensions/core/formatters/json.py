"""The graph as JSON, with the same names as everywhere on the wire."""

import json

from cairn.plugin import FormatterContext, FormatterManifest, issue_json, link_json, node_json


class Json:
    manifest = FormatterManifest(
        version="1.0.0", description="JSON: nodes, links and issues.", content_type="application/json"
    )

    def format(self, ctx: FormatterContext) -> str:
        graph = {
            "title": ctx.title,
            "root": ctx.root,
            "kinds": {key: {"label": kind.label, "color": kind.color} for key, kind in sorted(ctx.kinds.items())},
            "nodes": [node_json(node) for node in ctx.nodes],
            "links": [link_json(link) for link in ctx.links],
            "issues": [issue_json(issue) for issue in ctx.issues],
        }
        return json.dumps(graph, ensure_ascii=False, indent=2) + "\n"


extension = Json()
