import { realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import t, { type Test } from 'tap'
import { emptyFolder, launch } from './cli-process.ts'

/** A plugin that does what a file in its folder tells it to, once. */
const PLUGIN = `
import { existsSync, unlinkSync } from 'node:fs'
import { definePlugin, NO_TERMS } from '${import.meta.resolve('@svc/testing/paper-protocol')}'

const enough = new URL('enough', import.meta.url)
// Whoever takes the file away was told, and nobody else: a worker that ends looks for it as well.
const told = (name) => {
  try {
    unlinkSync(new URL(name, import.meta.url))
    return true
  } catch {
    return false
  }
}
function dig() {
  while (!existsSync(enough));
  console.log('dug')
}
setInterval(() => {
  if (told('dig')) dig()
  if (told('throw')) throw new TypeError('a timer of a plugin')
  if (told('reject')) Promise.reject(new RangeError('a promise of a plugin'))
  if (told('odd')) throw 'a text'
}, 20)
export default definePlugin({
  name: 'frail', prefix: '/frail/native', summary: 'Papers.', maxFee: '1', actions: {},
  balance: async () => ({}), info: async () => NO_TERMS, inspect: async () => {},
})
`

interface Line {
  readonly msg: string
  readonly level: number
  readonly pid: number
  readonly plugin?: string | null
  readonly at?: string
  readonly ms?: number
  readonly alert?: string
}

/** The service with that plugin, as `svc start` runs it. */
async function served(t: Test) {
  const cwd = realpathSync(await emptyFolder(t))
  const home = join(cwd, 'node_modules/frail')
  await mkdir(home, { recursive: true })
  const manifest = { name: 'frail', version: '1.0.0', type: 'module', exports: './index.js', svc: { contract: 1 } }
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(home, 'index.js'), PLUGIN)
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ name: 'operator', dependencies: { frail: '1' } }))
  const network = { name: 'one', endpoints: { desk: ['http://127.0.0.1:9'] }, clerk: 'p002' }
  const config = { plugins: { frail: { networks: { 1: network } } }, accounts: { acme: { name: 'Acme' } }, listen: { port: 0 } }
  await writeFile(join(cwd, 'svc.config.json'), JSON.stringify(config))
  const running = launch(['start'], { cwd, env: { SVC_PORT: '0' } })
  t.teardown(() => running.child.kill('SIGKILL'))
  await running.said(/Server listening at/)
  await running.said(/a secret was made/)
  // A line of one process may stand behind that of another, without a break between them; the last one may not be whole yet.
  const lines = () =>
    running.stdout
      .split(/\n|(?=\{"level":)/)
      .filter((line) => /^\{"level":.*\}$/.test(line))
      .map((line) => JSON.parse(line) as Line)
  return { running, lines, at: join(home, 'index.js'), tell: (name: string) => writeFile(join(home, name), '') }
}

const lineOf = (text: string) => PLUGIN.split('\n').findIndex((line) => line.includes(text)) + 1

/** Times that the plugin keeps the process at most. Where the machine stands still besides, the watchdog forgets what it has told of, and does not tell the end. */
const MOST_DIGS = 20
/** Looks, a hundredth of a second apart, at whether the end is told: the watchdog looks four times a second. */
const MOST_LOOKS = 200

t.test('a plugin that keeps the process is named with its line while it does, and again when it is over', async (t) => {
  const { running, lines, at, tell } = await served(t)
  // A machine that stands still is told as well, without a plugin's name.
  const named = () => lines().filter(({ msg, plugin }) => msg.startsWith('nothing ') && plugin === 'frail')
  const isOver = ({ msg }: Line) => msg.startsWith('nothing was answered for ')
  const dug = () => running.stdout.split('dug\n').length - 1
  for (let digs = 1; digs <= MOST_DIGS && !named().some(isOver); digs++) {
    const before = named().length
    await rm(join(at, '../enough'), { force: true })
    await tell('dig')
    // It digs until it is told that this is enough: what is told before is told while it digs.
    while (named().length === before) await running.more()
    await tell('enough')
    while (dug() < digs) await running.more()
    let looks = 0
    await eventually(
      'the end is told, or so many looks have seen nothing of it',
      () => ({ looks: ++looks, isTold: named().some(isOver) }),
      ({ isTold }) => isTold || looks > MOST_LOOKS,
    )
  }
  const end = named().findIndex(isOver)
  const [during, over] = [named()[end - 1], named()[end]]
  t.match(during, {
    level: 50,
    plugin: 'frail',
    at: `${at}:${lineOf('while (!existsSync')}`,
    msg: /^nothing has been answered for \d+\.\d s, health neither: the plugin frail keeps the process$/,
  })
  t.ok(during!.ms! >= 1000, `${during!.ms}`)
  t.match(over, {
    level: 50,
    plugin: 'frail',
    msg: /^nothing was answered for \d+\.\d s, health neither: the plugin frail kept the process$/,
  })
  t.ok(over!.ms! > during!.ms!, `${over!.ms} after ${during!.ms}`)
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0, 'it goes on, and ends as it is told to')
})

t.test('an error that nobody catches names its plugin, and its worker ends in order with another one in its place', async (t) => {
  const { running, lines, at, tell } = await served(t)
  const listening = () => lines().filter(({ msg }) => msg.startsWith('Server listening')).length
  for (const [count, what, sentence] of [
    [1, 'throw', 'TypeError: a timer of a plugin'],
    [2, 'reject', 'RangeError: a promise of a plugin'],
  ] as const) {
    await tell(what)
    while (listening() <= count || lines().filter(({ level }) => level === 60).length < count) await running.more()
    const where = `${at}:${lineOf(sentence.slice(sentence.indexOf(':') + 2))}`
    t.match(lines().filter(({ level }) => level === 60)[count - 1], {
      plugin: 'frail',
      at: where,
      alert: 'UNCAUGHT',
      msg: `the plugin frail (${where}) threw where nobody can catch it, so its worker ends: ${sentence}`,
    })
    const { pid } = lines().filter(({ level }) => level === 60)[count - 1]!
    const said = () =>
      lines()
        .filter((line) => line.pid === pid)
        .map(({ msg }) => msg)
    // Nothing else says this word but an end in order; other lines may stand beside it, and lines of two processes may run into each other.
    while (!said().includes('Stopped.')) await running.more()
  }
  running.child.kill('SIGTERM')
  t.equal((await running.ended).code, 0)
})

t.test('what is thrown and is no error has no place, and ends its worker all the same', async (t) => {
  const { running, lines, tell } = await served(t)
  await tell('odd')
  await running.said(/another one takes its place/)
  // What the primary says may come before what its worker has said.
  const fatalLine = () => lines().find(({ level }) => level === 60)
  while (fatalLine() === undefined) await running.more()
  const fatal = fatalLine()
  t.equal(fatal?.msg, 'something in no plugin’s folder threw where nobody can catch it, so its worker ends: a text, which is no Error')
  t.equal(fatal?.plugin, undefined)
})
