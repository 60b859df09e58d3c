// Compiles every contract in contracts/*.sol into contracts.generated.json, by name. That file is committed, so that running the sandbox
// needs no compiler.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import solc from 'solc'

const folder = new URL('contracts/', import.meta.url)
const files = (await readdir(folder)).filter((name) => name.endsWith('.sol')).sort()
const sources = Object.fromEntries(
  await Promise.all(files.map(async (name) => [name, { content: await readFile(new URL(name, folder), 'utf8') }])),
)
const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources,
      settings: {
        evmVersion: 'cancun',
        optimizer: { enabled: true, runs: 200 },
        // Without metadata the same source gives the same bytes.
        metadata: { appendCBOR: false, bytecodeHash: 'none' },
        outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
      },
    }),
  ),
)
for (const { formattedMessage } of output.errors ?? []) console.error(formattedMessage)
if (output.errors?.some(({ severity }) => severity === 'error')) process.exit(1)
// Interfaces and abstract contracts have no code to put on a chain.
const compiled = Object.values(output.contracts ?? {})
  .flatMap((contracts) => Object.entries(contracts))
  .filter(([, { evm }]) => evm.deployedBytecode.object !== '')
  .map(([name, { abi, evm }]) => [name, { abi, deployedBytecode: `0x${evm.deployedBytecode.object}` }])
const names = compiled.map(([name]) => name)
if (names.length === 0 || new Set(names).size < names.length) {
  console.error(`sandbox/contracts has ${names.join(', ') || 'no contract'}; it must have at least one, each with a name of its own`)
  process.exit(1)
}
await writeFile(new URL('contracts.generated.json', import.meta.url), `${JSON.stringify(Object.fromEntries(compiled))}\n`)
console.log(`${files.join(', ')} → contracts.generated.json: ${names.join(', ')}`)
