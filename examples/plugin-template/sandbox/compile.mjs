// Compiles contracts/Savings.sol into contracts.generated.json, which is committed, so that running the sandbox needs no compiler.
import { readFile, writeFile } from 'node:fs/promises'
import solc from 'solc'

const source = await readFile(new URL('contracts/Savings.sol', import.meta.url), 'utf8')
const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'Savings.sol': { content: source } },
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
if (output.errors?.length > 0) {
  console.error(output.errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  process.exit(1)
}
const { abi, evm } = output.contracts['Savings.sol'].Savings
const artifact = new URL('contracts.generated.json', import.meta.url)
await writeFile(artifact, `${JSON.stringify({ Savings: { abi, deployedBytecode: `0x${evm.deployedBytecode.object}` } })}\n`)
console.log('contracts/Savings.sol → contracts.generated.json')
