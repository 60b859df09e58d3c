import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A custodian as a filter for shells: a craft response on standard input, the body for prepare on standard output. It asks nobody, and
 * where it cannot sign it ends with 1 and one sentence. Plain JavaScript, since the Node that a shell finds may be too old for TypeScript.
 *
 * @param {string} needed the member of the craft response that is signed
 * @param {(craft: Record<string, string>, wallets: import('./files.ts').Sandbox['wallets']) => object | Promise<object>} sign makes the
 * body, of the craft response and the sandbox's wallets
 */
export async function custodian(needed, sign) {
  const file = `${process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))}/sandbox.json`
  if (!existsSync(file)) {
    return refuse(`There is no ${file}: start the sandbox with npm start, and name its data folder with SVC_DATA where it is another one.`)
  }
  const { wallets } = JSON.parse(readFileSync(file, 'utf8'))
  const given = readFileSync(0, 'utf8').trim()
  const craft = given.startsWith('{') ? JSON.parse(given) : {}
  if (!craft[needed]) return refuse(`This is no craft response: ${given.slice(0, 500) || 'nothing at all'}`)
  process.stdout.write(JSON.stringify(await sign(craft, wallets)))
}

function refuse(sentence) {
  console.error(sentence)
  process.exitCode = 1
}
