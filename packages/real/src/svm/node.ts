import type { RealNode } from '../node.ts'
import { playLiquid } from './liquid.ts'
import { playNative } from './native.ts'
import { buildValidator, NEEDS, PROGRAM, SOURCES, VERSION, whyNot } from './program.ts'
import { recordValidator } from './record.ts'

/** The test validator of Agave, with the stake pool program: a whole node with one validator. */
export const solana: RealNode = {
  name: 'solana',
  software: `solana-test-validator ${VERSION} (Agave), spl-stake-pool 2.2.0`,
  needs: NEEDS,
  sources: SOURCES,
  makes: [PROGRAM],
  whyNot,
  build: buildValidator,
  async play(stage) {
    await playNative(stage)
    await playLiquid(stage)
    if (stage.recorder.wanted) await recordValidator(stage)
  },
}
