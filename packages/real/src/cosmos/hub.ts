import { join } from 'node:path'
import { goBuild, moduleFolder } from '../go.ts'
import type { RealNode } from '../node.ts'
import { hubFamily } from './families.ts'
import { playCosmos } from './play.ts'

const PROGRAM = 'hubd'
const MODULE = moduleFolder('hub')

/** An application as the Cosmos Hub's is, of the same parts: the Hub's own repository cannot be built from the module proxy. */
export const hub: RealNode = {
  name: 'hub',
  software: 'gaiad v29 (SDK 0.53.8, CometBFT 0.38.25)',
  needs: ['go'],
  sources: [MODULE],
  makes: [PROGRAM],
  // In no checksum database: go.sum alone vouches for it.
  build: (folder, programs) =>
    goBuild(programs, { module: MODULE, program: join(folder, PROGRAM), unlisted: ['github.com/skip-mev/feemarket'] }),
  play: (stage) => playCosmos(stage, hubFamily, PROGRAM),
}
