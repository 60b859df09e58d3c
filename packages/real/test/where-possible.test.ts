// alone: it runs the command as a process
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startKeeper } from '../src/keeper.ts'
import { createPrograms } from '../src/programs.ts'
import { solana } from '../src/svm/node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')

async function run(t: Test, path: string, ...words: readonly string[]) {
  const keeper = startKeeper()
  t.teardown(() => keeper.close())
  const call = { env: { PATH: path, SVC_REAL_CACHE: join(t.testdirName, 'cache') } }
  return createPrograms(keeper).run(process.execPath, ['--conditions=@svc/source', MAIN, 'solana', ...words], call)
}

t.test('a validator that is not built, and cannot be built here, is left out with the reason where that is allowed', async (t) => {
  const { code, out } = await run(t, '', '--where-possible')
  t.equal(code, 0)
  const needed = 'cargo and clang and cmake and pkg-config and protoc must be installed'
  t.ok(out.includes(`solana: not run: it is not built yet, and to build it ${needed}`), out)
  t.match(out, /\n0 passed, 0 failed\n$/)
})

t.test('one that could be built is left out as well, since it takes long', async (t) => {
  const folder = t.testdir()
  await mkdir(join(folder, 'bin'))
  for (const name of solana.needs) {
    await writeFile(join(folder, 'bin', name), '#!/bin/sh\nexit 1\n')
    await chmod(join(folder, 'bin', name), 0o755)
  }
  const { code, out } = await run(t, join(folder, 'bin'), '--where-possible')
  t.equal(code, 0)
  t.match(out, /solana: not run: it is not built yet, which takes 40 minutes of two cores: pnpm real solana --build/)
})

t.test('where it is not allowed it is a failure', async (t) => {
  const { code, out } = await run(t, '')
  t.equal(code, 1)
  t.match(out, /FAIL solana: can be built/)
  t.match(out, /\n0 passed, 1 failed\n$/)
})
