import type { Recorder } from '../recorder.ts'
import type { Report } from '../report.ts'

/**
 * Situations that name nothing of one chain alone, by the names of their recordings: the envelope of the RPC, heights, parameters, paths, and hashes that nobody has. They are
 * asked again word by word. The others name accounts and transactions of the chain on which they were made.
 */
const ANYWHERE =
  /^(rpc-(?!get-tx|too-large)|(block|block-results|header|validators)-height-(?!next)|blockchain-(negative|one|ahead|reversed)|query-[a-z]+-params$|query-(unknown|garbage|empty|bad|odd|no)-|query-gas-price|query-inflation|tx-(bad|hex|no|short|unknown)-hash|tx-status-(no|short|unknown)-hash|tx-search-(bad|none|empty)|broadcast-(garbage|empty|bad-base64|no-param)$|simulate-(garbage|empty)$)/

/** Asks a node again what its recordings ask, as far as the questions fit any chain, and keeps the answers whose form is another one. */
export async function recordAnywhere(report: Report, recorder: Recorder, url: string): Promise<void> {
  const known = await recorder.known()
  const asked = known.filter(({ name, part }) => ANYWHERE.test(name) && part === undefined)
  const changed: string[] = []
  for (const { name, situation, request } of asked) if (await recorder.again(url, name, situation, request)) changed.push(name)
  report.check('recordings were asked again', asked.length > 0)
  report.say(`${asked.length} recordings asked again, ${changed.length} answers of another form: ${changed.join(', ') || 'none'}`)
  report.say(
    `${known.length - asked.length} recordings name accounts or transactions of the chain that they were made on, and were left as they are`,
  )
}
