import { type Config, lostWarning, readValidatorWords, type Service } from '@svc/core'

/**
 * Logs, in one line, with which validators (pools, vaults) wallets are besides the present ones: a warning where no setting names one of them.
 *
 * @returns the same sentences, for whoever asked for a reload; empty where there is nothing to tell, and where the wallets cannot be counted, which keeps nobody from being
 *   served
 */
export async function tellValidators(config: Config, { app: { log }, plugins, store }: Service): Promise<readonly string[]> {
  try {
    const { lost, former } = await readValidatorWords(config, plugins, store)
    const notes = [...(lost.length > 0 ? [lostWarning(lost)] : []), ...(former.length > 0 ? [`validators: ${former.join('; ')}.`] : [])]
    if (lost.length > 0) log.warn({ lost, former }, notes.join(' '))
    else if (former.length > 0) log.info({ former }, notes.join(' '))
    return notes
  } catch (err) {
    log.info({ err }, 'the wallets with each validator could not be counted; svc check says more')
    return []
  }
}
