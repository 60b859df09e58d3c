import type { Recorder } from './recorder.ts'
import type { Report } from './report.ts'

/**
 * Asks a node again what its recordings ask, as far as the questions fit any chain, and keeps the answers whose form is another one.
 *
 * @param anywhere names of the recordings whose requests name nothing of one chain alone
 */
export async function recordAgain(report: Report, recorder: Recorder, url: string, anywhere: RegExp): Promise<void> {
  const recordings = await recorder.known()
  // Of a long request only its beginning is kept, which is another question.
  const questions = recordings.filter(({ name, part, request }) => anywhere.test(name) && part === undefined && request.cut === undefined)
  const changed: string[] = []
  for (const { name, situation, request } of questions) if (await recorder.again(url, name, situation, request)) changed.push(name)
  report.check('recordings were asked again', questions.length > 0)
  report.say(
    `${questions.length} of ${recordings.length} recordings asked again word by word, ${changed.length} answers of another form: ${changed.join(', ') || 'none'}`,
  )
}
