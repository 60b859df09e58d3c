import { join } from 'node:path'
import { goBuild, moduleFolder } from '../go.ts'
import type { RealNode } from '../node.ts'

const PROGRAM = 'celestia-appd'
const MODULE = moduleFolder('celestia')

/** Celestia's own node, with its defaults and gRPC. */
export const celestia: RealNode = {
  name: 'celestia',
  software: 'celestia-appd v6.2.5',
  needs: ['go'],
  sources: [MODULE],
  makes: [PROGRAM],
  build: (folder, programs) => goBuild(programs, { module: MODULE, program: join(folder, PROGRAM) }),
  async play(stage) {
    await stage.life('version', async (report) => {
      const { code } = await stage.programs.run(join(stage.built, PROGRAM), ['version'])
      report.equal('the program says its version', code, 0)
    })
  },
}
