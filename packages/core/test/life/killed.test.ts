import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { onBoth } from '../support/databases.ts'
import { consistent } from './consistent.ts'
import { following } from './heart.ts'
import { createScript, hashOf, inBlock } from './living.ts'

const COUNT = 10

/** Kills a process that follows in the midst of it. @returns the time that it had come to, and how often it had looked */
async function killed(dataDir: string, databaseUrl: string, looks: number): Promise<{ readonly at: number; readonly seen: number }> {
  const child = spawn(
    process.execPath,
    ['--conditions=@svc/source', join(import.meta.dirname, 'life-child.ts'), dataDir, databaseUrl, String(COUNT), String(looks)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let at = 0
  let seen = 0
  for await (const line of createInterface(child.stdout)) {
    if (line !== 'look') at = Number(line)
    else if (++seen === looks) child.kill('SIGKILL')
  }
  return { at, seen }
}

await t.test('a process killed while it tells has told nothing twice, and nothing is lost', (t) =>
  onBoth(t, async (t, state, { dataDir, databaseUrl }) => {
    const { at, seen } = await killed(dataDir, databaseUrl, 83)
    t.ok(seen >= 83)
    await consistent(t, state, COUNT, { ended: false })
    const script = createScript()
    for (let index = 0; index < COUNT; index++) script.transactions.set(hashOf(`n${index}`), inBlock('final', { height: 10_000n }))
    const { clock, pass } = await following(t, state, { script })
    clock.now = new Date(at + 60_000)
    await pass(5 * 60_000, 10_000)
    await consistent(t, state, COUNT)
  }),
)
