import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root, temporaryFolder } from '@svc/testing/processes'
import { sharedServer } from '@svc/testing/shared-server'
import t from 'tap'

const run = promisify(execFile)
const here = join(root, 'examples/any-language')
const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0

/** One file, as a release has it, made twice: the same bytes from the same sources. */
const folder = await temporaryFolder(t)
const program = join(folder, 'svc-verify.mjs')
await t.test('two builds of the program are equal to the byte', async (t) => {
  const again = join(folder, 'again.mjs')
  const outputs = await Promise.all([program, again].map((file) => run(process.execPath, [join(root, 'scripts/sidecar.mjs'), file])))
  const [first = '', second = ''] = outputs.map(({ stdout }) => /SHA-256 ([0-9a-f]{64})/.exec(stdout)?.[1])
  t.equal(first, second)
  t.ok((await readFile(program)).equals(await readFile(again)))
  const { size = 0 } = { size: (await readFile(program)).length }
  t.ok(size < 250_000, `${size} bytes, with the intents of every protocol`)
})

for (const [language, command, version, args, cwd] of [
  ['Python', 'python3', '--version', ['python/stake.py'], here],
  ['Go', 'go', 'version', ['run', '.'], join(here, 'go')],
] as const) {
  const skip = isThere(command, version) ? false : `this machine has no ${command}`
  await t.test(`${language} stakes on four families, of its standard library alone`, { skip }, async (t) => {
    const sandbox = await sharedServer(t)
    const { stdout, stderr } = await run(command, [...args, program, sandbox.dataDir], { cwd })
    t.equal(stderr, '')
    const lines = stdout.trim().split('\n')
    t.same(
      lines.map((line) => line.split(':')[0]),
      ['evm', 'cosmos', 'svm', 'move'],
    )
    for (const line of lines) t.match(line, /: [A-Z].*; fee at most .*\. \w{40,}$/)
    t.match(lines[0], /Delegate 100 MON to validator 12/)
  })
}
