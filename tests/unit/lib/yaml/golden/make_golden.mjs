// Writes outputs.json: what the real js-yaml makes of every case in inputs.json.
//
//   npm install --prefix "$(mktemp -d)" js-yaml@4.1.1     (then run with NODE_PATH set to its node_modules)
//   NODE_PATH=... node make_golden.mjs
//
// 4.1.1 is the version whose hashes are in existing sidecars. Later releases of 4 differ in strings like `1_000` only:
// they no longer read these as numbers, and so write them without quotes.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const yaml = require(require.resolve('js-yaml', { paths: (process.env.NODE_PATH ?? '').split(':') }))
const here = (name) => new URL(name, import.meta.url)

const cases = JSON.parse(readFileSync(here('inputs.json'), 'utf8'))
const options = { sortKeys: true, lineWidth: -1, noRefs: true, noCompatMode: true }
const outputs = cases.map((value) => JSON.stringify(yaml.dump(value, options)))
const ascii = (text) => text.replace(/[\u007f-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
writeFileSync(here('outputs.json'), '[\n' + outputs.map(ascii).join(',\n') + '\n]\n')
