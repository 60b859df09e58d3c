import { join } from 'node:path'
import type { Programs } from './programs.ts'

/**
 * Builds the command of a Go module of this package.
 *
 * Nothing is resolved: `go.mod` names every version and `go.sum` the checksum of every file, so that what is fetched is what was reviewed.
 *
 * @param module its folder
 * @param program where the program is put
 * @param unlisted modules that no checksum database lists, so that `go.sum` alone vouches for them
 * @throws Error with what Go wrote
 */
export async function goBuild(
  programs: Programs,
  { module, program, target = '.', unlisted = [] }: { module: string; program: string; target?: string; unlisted?: readonly string[] },
): Promise<void> {
  await programs.must('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', program, target], {
    cwd: module,
    env: { GOFLAGS: '-mod=readonly', GOWORK: 'off', ...(unlisted.length > 0 ? { GONOSUMDB: unlisted.join(',') } : {}) },
  })
}

/** Folder of a module of this package. @param name below `nodes` */
export function moduleFolder(name: string): string {
  return join(import.meta.dirname, '../nodes', name)
}
