// What an operator does with a stranger's plugin: installs it next to the server from tarballs, is told what else a sandbox needs, installs that,
// starts it, and uses it. He has nothing of this repository but the tarballs.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { attempt, install, operatorFolder, outsideEnvironment, run, withDependencies } from './registry.mjs'

/** How long a start may take on a busy machine, in milliseconds. */
const START_MS = 60_000

/**
 * @param folder where it is done
 * @param files tarballs of the packages of this repository, by name
 * @param plugin the stranger's, by name and tarball, and the tarballs of what else is his
 */
export async function tryOut(folder, files, plugin) {
  await operatorFolder(folder)
  const some = (names) => withDependencies(names).map((name) => files.get(name))
  install(folder, [...some(['@svc/server', '@svc/kit-evm']), ...plugin.more, plugin.file])

  const told = attempt(folder, 'npx', '--no-install', 'svc', 'start')
  const command = /^ {2}npm install --save-dev (.+)$/m.exec(told.stderr)
  expect(told.status === 1 && command, `svc start names the command that installs the sandbox:\n${told.stderr}`)
  install(folder, some(command[1].split(' ')), '--save-dev')

  // The command itself, to which npx would pass no signal on.
  const child = spawn(join(folder, 'node_modules/.bin/svc'), ['start'], { cwd: folder, env: { ...outsideEnvironment(), SVC_PORT: '0' } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const ended = new Promise((done) => child.once('exit', done))
  try {
    const sandbox = await startedSandbox(folder, child)
    await use(sandbox)
    const check = run(folder, 'npx', '--no-install', 'svc', 'check')
    expect(/All is well\./.test(check) && /evm-example\/savings/.test(check), `svc check finds it well:\n${check}`)
  } catch (error) {
    throw new Error(`${error.message}\nsvc start said:\n${said}`, { cause: error })
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  expect(/Stopped\.\n$/.test(said), `it stops in order:\n${said}`)
}

/** The content of sandbox.json, once the service listens. @throws when it ended, or does not listen in time */
export async function startedSandbox(folder, child) {
  for (const until = Date.now() + START_MS; Date.now() < until; await wait(100)) {
    if (child.exitCode !== null) break
    const text = await readFile(join(folder, '.svc/sandbox.json'), 'utf8').catch(() => undefined)
    // It is written in one go, but may be read in the middle of it.
    if (text?.endsWith('}\n')) return JSON.parse(text)
  }
  throw new Error('the service did not start')
}

/** A craft, the document and the console: what a caller and his developer see of it. */
async function use({ baseUrl, apiKey, wallets }) {
  const path = '/api/v1/evm-example/savings/action/deposit'
  const craft = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallets.evm[0].address, amount: 1.5 }),
  })
  const body = await craft.text()
  expect(craft.status === 200 && /^0x/.test(JSON.parse(body).serialized_tx_hex), `a deposit is crafted: ${craft.status} ${body}`)
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json()
  expect(document.paths[path]?.post?.summary === 'Deposit into the savings vault', 'it is in the OpenAPI document')
  const console = await fetch(`${baseUrl}/docs`)
  expect(console.status === 200 && /<html/i.test(await console.text()), 'the console is served')
}

function expect(holds, sentence) {
  if (!holds) throw new Error(`This does not hold: ${sentence}`)
}
