import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareSvm, svmQuestions } from '@svc/testing/svm-questions'
import type { RealNode, Stage } from '../node.ts'
import { expired, failed, nonces, restarted, twice, wholeLife } from './native.ts'
import { buildValidator, PROGRAM, SOURCES, VERSION, whyNot } from './program.ts'
import { startSvmStage } from './stage.ts'
import { startValidator } from './validator.ts'

/** Slots until what was sent is final, and a few more. */
const FINAL_SLOTS = 40

/** The test validator of Agave: a whole node with one validator. */
export const solana: RealNode = {
  name: 'solana',
  software: `solana-test-validator ${VERSION} (Agave)`,
  needs: [],
  sources: SOURCES,
  makes: [PROGRAM],
  whyNot,
  build: buildValidator,
  async play(stage) {
    const played = await startSvmStage(stage)
    stage.report.equal('svc check finds nothing amiss', played.service.checked.code, 0)
    await stage.life('life', (report) => wholeLife(played, report))
    await stage.life('twice', (report) => twice(played, report))
    await stage.life('failed', (report) => failed(played, report))
    await stage.life('expired', (report) => expired(played, report))
    await stage.life('nonces', (report) => nonces(played, report))
    await stage.life('restarted', (report) => restarted(played, report))
    await played.service.close()
    await played.validator.stop()
    stage.report.say('svm-liquid was not played: no package registry has the stake pool program')
    if (stage.recorder.wanted) await record(stage)
  },
}

/** Asks a validator of its own everything that is kept of one. */
async function record(stage: Stage): Promise<void> {
  const folder = join(stage.folder, 'recorded')
  await mkdir(folder, { recursive: true })
  const validator = await startValidator(stage.programs, join(stage.built, PROGRAM), folder)
  await validator.epoch()
  const facts = await prepareSvm({
    url: validator.url,
    payer: validator.mint,
    vote: validator.vote,
    settle: () => validator.slots(FINAL_SLOTS),
  })
  for (const { name, situation, http, body } of svmQuestions)
    await stage.recorder.ask(validator.url, name, situation, { http, ...(body ? { body: body(facts) } : {}) })
  await validator.stop()
}
