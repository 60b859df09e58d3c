// Writes docs/errors.md, and the codes that the client knows with their meanings, from what every package declares in its src/codes.ts, or src/base/codes.ts. That nothing else is raised is for the compiler: see `declareErrors`.
// `node --conditions=@svc/source scripts/errors.mjs` writes; with --check it only compares.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { byOwner } from './error-owners.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Every table, with its owner: a family by its short name, a plugin by the path of its routes, and the service itself. */
const tables = []
for (const folder of [...globSync('packages/*', { cwd: root }), ...globSync('plugins/*', { cwd: root }), 'server'].sort()) {
  const file = ['src/codes.ts', 'src/base/codes.ts'].map((name) => join(root, folder, name)).find((each) => existsSync(each))
  if (file === undefined) continue
  const { errorCodes } = await import(pathToFileURL(file).href)
  const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const family = /^@svc\/kit-(.+)$/.exec(name)?.[1]
  const plugin = /^@svc\/plugin-(.+)$/.exec(name)?.[1]
  tables.push({ owner: family ?? (plugin === undefined ? 'service' : await pathOf(plugin)), name, errorCodes })
}
async function pathOf(plugin) {
  const { default: exported } = await import(pathToFileURL(join(root, 'plugins', plugin, 'src/index.ts')).href)
  return exported.protocol.prefix
}
const { owners, repeated } = byOwner(tables)
if (repeated.length > 0) {
  for (const sentence of repeated) console.error(sentence)
  process.exit(1)
}
const text = `# Errors

Every refusal has the body \`{ "statusCode", "message", "error", "code" }\`: \`message\` is the HTTP phrase, \`error\` a sentence for a person, \`code\` one of
the words below, which do not change. \`x-request-id\` is on every response. Where a retry makes sense, \`Retry-After\` says when.
Where \`Accept\` names \`application/problem+json\`, the body is of that type and has the members of RFC 9457 besides: \`type\` (\`about:blank\`), \`title\`, \`status\`, \`detail\`.

This page is generated from the code: \`pnpm errors\`.
${tables
  .map(({ name, errorCodes }) => {
    const rows = Object.entries(errorCodes).sort(([a], [b]) => (a < b ? -1 : 1))
    return `\n## ${name}\n\n| Code | Status | Meaning |\n|---|---|---|\n${rows.map(([code, [status, meaning]]) => `| \`${code}\` | ${status} | ${meaning} |`).join('\n')}\n`
  })
  .join('')}`
const literal = (text) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)
/** As Biome would write it, in 140 columns. */
const entry = (code, { status, meaning }) => {
  const line = `    ${code}: [${status}, ${literal(meaning)}],`
  return line.length <= 140 ? line : `    ${code}: [\n      ${status},\n      ${literal(meaning)},\n    ],`
}
const key = (owner) => (/^\w+$/.test(owner) ? owner : `'${owner}'`)
const byCode = ([a], [b]) => (a < b ? -1 : 1)
const record = `// Made by \`pnpm errors\` from what every package declares.
/** HTTP status and meaning of every code, by who declares it: the service, a chain family, or the plugin with these routes. One word has as many meanings. */
export const ERRORS = {
${[...owners]
  .map(
    ([owner, codes]) =>
      `  ${key(owner)}: {\n${[...codes]
        .sort(byCode)
        .map(([code, about]) => entry(code, about))
        .join('\n')}\n  },`,
  )
  .join('\n')}
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [status: number, meaning: string]>>>>

/** Every code that a refusal of the service can have. They do not change. */
export type ErrorCode = { [Owner in keyof typeof ERRORS]: keyof (typeof ERRORS)[Owner] }[keyof typeof ERRORS]
`
for (const [name, content] of [
  ['docs/errors.md', text],
  ['packages/client/src/codes.generated.ts', record],
]) {
  const file = join(root, name)
  if (!process.argv.includes('--check')) writeFileSync(file, content)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
    console.error(`${name} is out of date; run \`pnpm errors\``)
    process.exitCode = 1
  }
}
