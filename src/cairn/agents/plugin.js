// Written by `cairn agent install`; `cairn agent uninstall` removes it.
// Tells Cairn when a turn begins and ends: ids and names of tools, never what was said. Tells the agent what Cairn has
// for it.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const PROGRAM = ["cairn"]

const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share")
const database = join(data, "opencode", "opencode.db")
// OpenCode may make its database after it has loaded this file.
const transcript = () => (existsSync(database) ? database : join(data, "opencode", "storage"))

const PATIENCE_MS = 2_000
const PAUSE_MS = 100

function tell(event, directory, payload) {
  return new Promise((resolve) => {
    try {
      let said = ""
      const [program, ...args] = PROGRAM
      const child = spawn(program, [...args, "hook", event, "--host", "opencode"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: 10_000,
      })
      child.stdout.setEncoding("utf8").on("data", (piece) => (said += piece))
      child.on("error", () => resolve(""))
      child.on("close", () => resolve(said))
      child.stdin.on("error", () => resolve(""))
      child.stdin.end(JSON.stringify({ host: "opencode", cwd: directory, transcript_path: transcript(), ...payload }))
    } catch {
      resolve("")
    }
  })
}

function contextOf(said) {
  try {
    return JSON.parse(said).hookSpecificOutput?.additionalContext || ""
  } catch {
    return ""
  }
}

function soon(promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, "")
    promise.then(resolve, () => resolve("")).finally(() => clearTimeout(timer))
  })
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// The last message of an answer is still being stored when a session becomes idle.
async function storedMessages(client, id) {
  let messages = []
  for (let waited = 0; waited <= PATIENCE_MS; waited += PAUSE_MS) {
    const answer = await client.session.messages({ path: { id } })
    messages = answer.data ?? answer ?? []
    const last = messages.at(-1)?.info
    if (last?.role !== "assistant" || last.time?.completed || last.error) break
    await pause(PAUSE_MS)
  }
  return messages
}

async function lastTurn(client, id) {
  const messages = await storedMessages(client, id)
  const begin = messages.findLastIndex((message) => message.info?.role === "user")
  if (begin < 0) return {}
  const parts = messages.slice(begin + 1).flatMap((message) => message.parts ?? [])
  const calls = parts.filter((part) => part.type === "tool")
  const noted = calls.some((call) => /cairn\s+(knowledge\s+)?note\b/.test(String(call.state?.input?.command ?? "")))
  const error = messages.at(-1)?.info?.error?.name
  return { message_id: messages[begin].info.id, tools: [...new Set(calls.map((call) => call.tool))], noted, error }
}

// A session that an agent started for a part of its work is no turn of a person.
async function isChild(client, id) {
  const answer = await client.session.get({ path: { id } }).catch(() => ({}))
  return Boolean((answer.data ?? answer)?.parentID)
}

// Agents of the host's own, for titles and summaries, are asked with the id of the session, too.
async function hostPrompts(client) {
  const answer = await client.app.agents().catch(() => ({}))
  const agents = answer.data ?? answer ?? []
  const own = Array.isArray(agents) ? agents.filter((agent) => agent.hidden) : []
  return own.map((agent) => agent.prompt?.trim()).filter(Boolean)
}

export const Cairn = async ({ client, directory }) => {
  const open = new Set()
  const sessions = new Set()
  const briefings = new Map()
  const waiting = new Set()
  let prompts
  const about = (event) => event.properties?.sessionID ?? event.properties?.info?.id

  // What is under way when the host ends is waited for in `dispose`.
  const kept = (promise) => {
    waiting.add(promise)
    return promise.catch(() => "").finally(() => waiting.delete(promise))
  }

  const brief = (id) => {
    if (!briefings.has(id)) {
      const said = isChild(client, id).then((child) =>
        child ? "" : tell("session-start", directory, { session_id: id }).then(contextOf),
      )
      briefings.set(id, kept(said))
    }
    return briefings.get(id)
  }

  const ended = async (id) => {
    if (!open.delete(id)) return
    const turn = await lastTurn(client, id).catch(() => ({}))
    await tell(turn.error ? "stop-failure" : "stop", directory, { session_id: id, ...turn })
  }

  const isHosts = async (system) => {
    prompts ??= hostPrompts(client)
    const known = await soon(prompts)
    const first = String(system[0] ?? "").trim()
    return first.startsWith("You are a title generator") || (known || []).some((prompt) => first.startsWith(prompt))
  }

  return {
    event: async ({ event }) => {
      const id = about(event)
      if (event.type === "session.created" && !event.properties?.info?.parentID) {
        await brief(id)
      } else if (event.type === "session.idle") {
        await kept(ended(id))
      } else if (event.type === "session.compacted" && sessions.has(id)) {
        await kept(tell("pre-compact", directory, { session_id: id }))
      }
    },
    "chat.message": async (input, output) => {
      const id = input?.sessionID ?? output?.message?.sessionID
      if (!id || (await isChild(client, id))) return
      open.add(id)
      sessions.add(id)
      await kept(tell("prompt", directory, { session_id: id, message_id: output?.message?.id }))
    },
    // Asked for before each call of the model; the same words each time, so that they are paid for once.
    "experimental.chat.system.transform": async (input, output) => {
      if (!input?.sessionID || (await isHosts(output.system))) return
      const text = await soon(brief(input.sessionID))
      if (text) output.system.push(text)
    },
    dispose: async () => {
      await Promise.all([...waiting])
      await Promise.all([...open].map((id) => ended(id).catch(() => "")))
      await Promise.all([...sessions].map((id) => tell("session-end", directory, { session_id: id })))
      sessions.clear()
      briefings.clear()
    },
  }
}
