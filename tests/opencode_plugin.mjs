/* Loads the plugin for OpenCode, plays what the host would call (JSON on stdin), and prints the system prompts. */
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const { sessions, agents, calls } = JSON.parse(readFileSync(0, "utf8"))
const client = {
  session: {
    get: async ({ path }) => ({ data: { id: path.id, parentID: sessions[path.id]?.parent } }),
    messages: async ({ path }) => ({ data: sessions[path.id]?.messages ?? [] }),
  },
  app: { agents: async () => ({ data: agents ?? [] }) },
}
const { Cairn } = await import(pathToFileURL(process.argv[2]))
const hooks = await Cairn({ client, directory: process.cwd() })
const systems = []
for (const [name, input, output] of calls) {
  if (name === "event") await hooks.event({ event: input })
  else if (name === "dispose") await hooks.dispose?.()
  else {
    await hooks[name](input, output)
    if (output?.system) systems.push(output.system)
  }
}
console.log(JSON.stringify(systems))
