import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { moduleFolder } from '../go.ts'
import type { Programs } from '../programs.ts'

export const PROGRAM = 'local-validator'
/** Version of Agave's crates; `Cargo.toml` names it too. */
export const VERSION = '4.2.2'

const MODULE = moduleFolder('solana')
/** Files that decide what is built. */
export const SOURCES = ['Cargo.toml', 'Cargo.lock', 'src', 'native', 'pool'].map((name) => join(MODULE, name))
/** Programs that Cargo needs besides itself; their libraries are named in docs/real-nodes.md. */
export const NEEDS = ['cargo', 'clang', 'cmake', 'pkg-config', 'protoc']

/** Says why the validator is left out where that is allowed: asked only while it is not built. */
export async function whyNot(): Promise<string | null> {
  return 'it is not built yet, which takes 40 minutes of two cores: pnpm real solana --build'
}

/**
 * Builds the validator, and keeps what was built of its parts, so that a change of our own file takes a minute.
 *
 * @throws Error with what Cargo wrote
 */
export async function buildValidator(folder: string, programs: Programs): Promise<void> {
  const target = join(dirname(folder), 'target')
  await programs.must('cargo', ['build', '--release', '--locked'], { cwd: MODULE, env: { CARGO_TARGET_DIR: target } })
  await copyFile(join(target, 'release', PROGRAM), join(folder, PROGRAM))
}
