import { readFile } from 'node:fs/promises'
import { SandboxError } from '@svc/sandbox'

/**
 * Reads the file of a program as `solana program dump` writes it.
 *
 * @throws SandboxError `INVALID_INPUT` when there is no such file, or it is no program
 */
export async function loadStakePoolProgram(path: string): Promise<Uint8Array> {
  const how =
    'make it with "solana program dump SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy <file>", or leave the setting out for the stand-in'
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new SandboxError('INVALID_INPUT', `the stake pool program ${path} cannot be read: ${how}`, { cause })
  }
  if (bytes.subarray(0, 4).toString('latin1') === '\x7fELF') return Uint8Array.from(bytes)
  throw new SandboxError('INVALID_INPUT', `the stake pool program ${path} is no program of the chain (an ELF file): ${how}`)
}
