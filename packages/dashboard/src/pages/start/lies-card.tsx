import { useState } from 'preact/hooks'
import type { Sandbox } from '../../api/sandbox.ts'
import { Button } from '../../parts/form/button.tsx'
import { Note } from '../../parts/notice/note.tsx'
import type { Choice } from './choices.ts'
import { type Ending, LIES, told } from './lies.ts'
import { faultOf } from './sentences.ts'
import { canCheck } from './service.ts'

/** Shows the tricks that a service could play on its callers. Each can be tried against the sandbox, and this page must refuse what comes of it. */
export function Lies({ choice, amount, sandbox }: { readonly choice: Choice; readonly amount: string; readonly sandbox: Sandbox }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [endings, setEndings] = useState<Readonly<Record<string, Ending | { readonly fault: string }>>>({})
  return (
    <section class="card">
      <header>
        <h2>What happens if …</h2>
      </header>
      <ul class="body stack lies">
        {LIES.map((lie) => {
          const ending = endings[lie.id]
          return (
            <li key={lie.id} class="stack tight">
              <div class="lie">
                <div>
                  <h3>{lie.title}</h3>
                  <p class="muted small">{lie.how}</p>
                </div>
                <Button
                  busy={busy === lie.id}
                  disabled={!canCheck}
                  onClick={async () => {
                    if (busy !== null) return
                    setBusy(lie.id)
                    const verdict = await told(lie, choice, amount, sandbox).catch((error: unknown) => ({
                      fault: faultOf(error)?.sentence ?? 'the session ended.',
                    }))
                    setEndings((old) => ({ ...old, [lie.id]: verdict }))
                    setBusy(null)
                  }}
                >
                  Try <span class="hidden-visually">{lie.title}</span>
                </Button>
              </div>
              {ending === undefined ? null : 'fault' in ending ? (
                <Note kind="warn" alert>
                  It could not be played: {ending.fault}
                </Note>
              ) : (
                <Note kind={ending.refused ? 'ok' : 'bad'} alert>
                  {ending.refused ? <b>Refused in this page. </b> : null}
                  <span class="break">{ending.sentence}</span>
                </Note>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
