import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One contract of an artifact. An interface has no code, only an ABI. */
export interface Compiled {
  readonly abi: readonly unknown[]
  /** Run-time code, which is what is put on a chain; no constructor runs. */
  readonly deployedBytecode: string
}

/** A folder of Solidity and the artifact made of it. */
export interface Target {
  readonly sources: string
  readonly artifact: string
}

/** The root of the repository. */
export const root = resolve(fileURLToPath(import.meta.url), '../../../..')

/**
 * Compiles Solidity for the Cancun EVM (transient storage), optimised, without metadata: the same sources give the same bytes. Not by way of Yul,
 * which takes four times as long to save a tenth of the bytes.
 *
 * @param files file name → source; imports are relative to the same flat folder
 * @returns contract name → ABI and run-time code, abstract contracts left out
 * @throws when the compiler reports an error or a warning, with its text
 */
export function compileSolidity(files: Readonly<Record<string, string>>): Record<string, Compiled> {
  // A CommonJS package of 8 MB of WebAssembly: loaded here and not at import, so that listing targets costs nothing.
  const solc: { compile(input: string): string } = createRequire(import.meta.url)('solc')
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(standardInput(files))))
  const complaints = (output.errors ?? []).filter((error) => error.errorCode !== transientStorageNotice)
  if (complaints.length > 0) throw new Error(complaints.map((error) => error.formattedMessage).join('\n'))
  const all = Object.values(output.contracts).flatMap((contracts) => Object.entries(contracts))
  const kept = all.filter(([, { abi, evm }]) => abi.length > 0 && (evm.deployedBytecode.object !== '' || isInterface(abi)))
  return Object.fromEntries(
    kept
      .map(([name, { abi, evm }]): [string, Compiled] => [name, { abi, deployedBytecode: `0x${evm.deployedBytecode.object}` }])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Lists every folder that has contracts: this package's, and `sandbox/contracts` of each plugin. */
export async function targets(): Promise<Target[]> {
  const own = {
    sources: join(root, 'packages/sandbox-evm/contracts'),
    artifact: join(root, 'packages/sandbox-evm/src/contracts.generated.json'),
  }
  const plugins = await readdir(join(root, 'plugins'), { withFileTypes: true })
  const folders = plugins.filter((entry) => entry.isDirectory()).map((entry) => join(root, 'plugins', entry.name, 'sandbox'))
  const candidates = folders.map((folder) => ({ sources: join(folder, 'contracts'), artifact: join(folder, 'contracts.generated.json') }))
  const present = await Promise.all(candidates.map(async (target) => (await solidityFiles(target.sources)).length > 0))
  return [own, ...candidates.filter((_, index) => present[index])]
}

/** Compiles the contracts of a folder as they are now. @returns text of the artifact */
export async function artifactText(target: Target): Promise<string> {
  const names = await solidityFiles(target.sources)
  const sources = await Promise.all(names.map(async (name) => [name, await readFile(join(target.sources, name), 'utf8')] as const))
  return `${JSON.stringify(compileSolidity(Object.fromEntries(sources)))}\n`
}

/** "Transient storage can break composability": given for every use of `tstore`, which is how a stand-in refuses static calls. */
const transientStorageNotice = '2394'

async function solidityFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => [])
  return names.filter((name) => name.endsWith('.sol')).sort()
}

interface SolcOutput {
  readonly errors?: readonly { readonly errorCode: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, { abi: unknown[]; evm: { deployedBytecode: { object: string } } }>>
}

function standardInput(files: Readonly<Record<string, string>>): object {
  return {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(files).map(([name, content]) => [basename(name), { content }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
    },
  }
}

/** An interface's ABI has functions; an abstract contract of internal functions has none. */
function isInterface(abi: readonly unknown[]): boolean {
  return abi.some((entry) => (entry as { type: string }).type === 'function')
}

if (import.meta.main) {
  const wanted = process.argv.slice(2).map((folder) => resolve(folder))
  for (const target of await targets()) {
    if (wanted.length > 0 && !wanted.includes(target.sources)) continue
    await writeFile(target.artifact, await artifactText(target))
    console.log(`${relative(root, target.sources)} → ${relative(root, target.artifact)}`)
  }
}
