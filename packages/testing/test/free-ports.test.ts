import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import t from 'tap'

const SCRIPT = `
  import { freePorts } from '@svc/testing/free-ports'
  console.log(JSON.stringify(await freePorts(130)))
  process.stdin.resume()
`

t.test('processes that run at the same time are given no port twice', async (t) => {
  const lists = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ['--conditions=@svc/source', '--input-type=module', '-e', SCRIPT], {
        cwd: import.meta.dirname,
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      t.teardown(() => child.kill())
      for await (const line of createInterface(child.stdout)) return JSON.parse(line) as number[]
      return []
    }),
  )
  const all = lists.flat()
  t.equal(all.length, 390)
  t.equal(new Set(all).size, all.length)
  t.ok(all.every((port) => port > 15_000 && port < 32_000))
})
