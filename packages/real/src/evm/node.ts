import { join } from 'node:path'
import { goBuild, moduleFolder } from '../go.ts'
import type { RealNode } from '../node.ts'
import { beforeFinality, killed, reorganised, replaced, rivalWaits, serviceRestarts, wholeLife } from './lives.ts'
import { pairLife } from './pairs.ts'
import { recordGeth } from './record.ts'
import { beyondIndex, SMALL_NODE, shortRanges } from './small-node.ts'
import { startVaultStage } from './vault-stage.ts'

const MODULE = moduleFolder('geth')

/** An ordinary geth behind a consensus client of ours: with its defaults, and as an operator has it who keeps his node small. */
export const geth: RealNode = {
  name: 'geth',
  software: 'geth v1.17.0 (go-ethereum module, Osaka rules, driven over the Engine API)',
  needs: ['go'],
  sources: [MODULE],
  makes: ['geth'],
  build: (folder, programs) =>
    goBuild(programs, { module: MODULE, program: join(folder, 'geth'), target: 'github.com/ethereum/go-ethereum/cmd/geth' }),
  async play(stage) {
    const plain = await startVaultStage(stage, 'geth', { final: false })
    stage.report.equal('svc check finds nothing amiss with the defaults', plain.service.checked.code, 0)
    await stage.life('before-finality', (report) => beforeFinality(plain, report))
    await stage.life('life', (report) => wholeLife(plain, report))
    await stage.life('reorganised', (report) => reorganised(plain, report))
    await stage.life('replaced', (report) => replaced(plain, report))
    await stage.life('rival', (report) => rivalWaits(plain, report))
    await stage.life('killed', (report) => killed(plain, report))
    await stage.life('restart', (report) => serviceRestarts(plain, report))
    await stage.life('pair', (report) => pairLife(stage, plain, report))
    await plain.service.close()
    await plain.geth.stop()

    const small = await startVaultStage(stage, 'small', { flags: SMALL_NODE })
    await stage.life('short-ranges', (report) => shortRanges(small, report))
    await stage.life('beyond-index', (report) => beyondIndex(small, report))
    await small.service.close()
    await small.geth.stop()
    if (stage.recorder.wanted) await stage.life('recordings', (report) => recordGeth(stage, report))
  },
}
