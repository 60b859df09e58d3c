// Writes docs/errors.md from every package's src/codes.ts, and refuses when a code in the source is in no table or the other way round.
// `node --conditions=@svc/source scripts/errors.mjs` writes; with --check it only compares.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const page = join(root, 'docs/errors.md')
/** Codes of other software, which the source compares with and never raises. */
const FOREIGN = /^(FST|ERR|HPE|SQLITE|ETIMEDOUT|ECONN|CALL_EXCEPTION|INSUFFICIENT_FUNDS|UNSUPPORTED|DATABASE_URL|REDIS_URL|SVC_|PORT_BUSY)/

const problems = []
const tables = []
for (const folder of [...globSync('packages/*', { cwd: root }), ...globSync('plugins/*', { cwd: root })].sort()) {
  const file = join(root, folder, 'src/codes.ts')
  if (!existsSync(file)) continue
  const { errorCodes } = await import(pathToFileURL(file).href)
  tables.push({ folder, name: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name, errorCodes })
}
const known = new Set(tables.flatMap(({ errorCodes }) => Object.keys(errorCodes)))
for (const { folder, name, errorCodes } of tables) {
  const source = globSync('src/**/*.ts', { cwd: join(root, folder) })
    .filter((file) => !file.endsWith('codes.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')
  // A code of one word looks like any other word in capitals, so it counts only where the table has it.
  const quoted = [...source.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map((match) => match[1])
  const raised = new Set(quoted.filter((code) => code in errorCodes || (code.includes('_') && !FOREIGN.test(code))))
  for (const code of raised) if (!known.has(code)) problems.push(`${name} raises ${code}, which is in no src/codes.ts`)
  for (const code of Object.keys(errorCodes)) if (!raised.has(code)) problems.push(`${name} lists ${code}, which it never raises`)
}

const text = `# Errors

Every refusal has the body \`{ "statusCode", "message", "error", "code" }\`: \`message\` is the HTTP phrase, \`error\` a sentence for a person, \`code\` one of
the words below, which do not change. \`x-request-id\` is on every response. Where a retry makes sense, \`Retry-After\` says when.

This page is generated from the code: \`pnpm errors\`.
${tables
  .map(({ name, errorCodes }) => {
    const rows = Object.entries(errorCodes).sort(([a], [b]) => (a < b ? -1 : 1))
    return `\n## ${name}\n\n| Code | Status | Meaning |\n|---|---|---|\n${rows.map(([code, [status, meaning]]) => `| \`${code}\` | ${status} | ${meaning} |`).join('\n')}\n`
  })
  .join('')}`
if (process.argv.includes('--check')) {
  if (!existsSync(page) || readFileSync(page, 'utf8') !== text) problems.push('docs/errors.md is out of date; run `pnpm errors`')
} else writeFileSync(page, text)
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
