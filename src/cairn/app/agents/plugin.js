// Written by `cairn agent install`; `cairn agent uninstall` removes it.
// Tells Cairn when a turn ends: ids and names of tools, never what was said. Tells the agent what Cairn has for it.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const PROGRAM = ["cairn"]

const data = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share")
const database = join(data, "opencode", "opencode.db")
const transcript = existsSync(database) ? database : join(data, "opencode", "storage")

const PATIENCE_MS = 2_000

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
      child.stdin.end(JSON.stringify({ host: "opencode", cwd: directory, transcript_path: transcript, ...payload }))
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
    promise.then(resolve).finally(() => clearTimeout(timer))
  })
}

async function lastTurn(client, id) {
  const answer = await client.session.messages({ path: { id } })
  const messages = answer.data ?? answer ?? []
  const begin = messages.findLastIndex((message) => message.info?.role === "user")
  if (begin < 0) return {}
  const parts = messages.slice(begin + 1).flatMap((message) => message.parts ?? [])
  const calls = parts.filter((part) => part.type === "tool")
  const noted = calls.some((call) => /cairn\s+(knowledge\s+)?note\b/.test(String(call.state?.input?.command ?? "")))
  return { message_id: messages[begin].info.id, tools: [...new Set(calls.map((call) => call.tool))], noted }
}

// A session that an agent started for a part of its work is no turn of a person.
async function isChild(client, id) {
  const answer = await client.session.get({ path: { id } }).catch(() => ({}))
  return Boolean((answer.data ?? answer)?.parentID)
}

export const Cairn = async ({ client, directory }) => {
  const seen = new Set()
  const briefings = new Map()
  const about = (event) => event.properties?.sessionID ?? event.properties?.info?.id
  return {
    event: async ({ event }) => {
      const id = about(event)
      if (event.type === "session.created" && !event.properties?.info?.parentID) {
        briefings.set(id, tell("session-start", directory, { session_id: id }).then(contextOf))
        await briefings.get(id)
      } else if (event.type === "session.idle" && !(await isChild(client, id))) {
        seen.add(id)
        await tell("stop", directory, { session_id: id, ...(await lastTurn(client, id).catch(() => ({}))) })
      } else if (event.type === "session.compacted" && seen.has(id)) {
        await tell("pre-compact", directory, { session_id: id })
      } else if (event.type === "server.instance.disposed") {
        await Promise.all([...seen].map((session) => tell("session-end", directory, { session_id: session })))
        seen.clear()
        briefings.clear()
      }
    },
    // Asked for before each call of the model; the same words each time, so that they are paid for once.
    "experimental.chat.system.transform": async (input, output) => {
      const text = briefings.has(input?.sessionID) ? await soon(briefings.get(input.sessionID)) : ""
      if (text) output.system.push(text)
    },
  }
}
