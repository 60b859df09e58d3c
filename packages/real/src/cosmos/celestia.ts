import { join } from 'node:path'
import { goBuild, moduleFolder } from '../go.ts'
import type { RealNode } from '../node.ts'
import { celestiaFamily } from './families.ts'
import { playCosmos } from './play.ts'

const PROGRAM = 'celestia-appd'
const MODULE = moduleFolder('celestia')

/** Celestia's own node with its defaults and gRPC: no index, no results. */
export const celestia: RealNode = {
  name: 'celestia',
  software: 'celestia-appd v6.2.5 (celestiaorg/cosmos-sdk 0.51.6, celestia-core 0.39.15)',
  needs: ['go'],
  sources: [MODULE],
  makes: [PROGRAM],
  build: (folder, programs) => goBuild(programs, { module: MODULE, program: join(folder, PROGRAM) }),
  play: (stage) => playCosmos(stage, celestiaFamily, PROGRAM),
}
