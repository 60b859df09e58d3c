import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import t from 'tap'
import { artifactText, compileSolidity, root, targets } from '../scripts/compile.ts'

const all = await targets()

t.test('the sandbox and the plugins bring contracts', async (t) => {
  t.match(
    all.map(({ sources }) => relative(root, sources)),
    ['packages/sandbox-evm/contracts'],
  )
})

for (const target of all) {
  t.test(`${relative(root, target.artifact)} is what its sources compile to`, async (t) => {
    const same = (await readFile(target.artifact, 'utf8')) === (await artifactText(target))
    t.ok(same, 'run packages/sandbox-evm/scripts/compile.ts again when this differs')
  })
}

t.test('a source that does not compile is refused with what the compiler says', async (t) => {
  t.throws(() => compileSolidity({ 'Bad.sol': 'pragma solidity 0.8.37; contract Bad { uint256 x = y; }' }), /Undeclared identifier/)
})
