import { useEffect, useRef, useState } from 'preact/hooks'
import type { NewApiKey } from '../../api/keys.ts'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useTrial } from './use-trial.ts'

/** Shows the value of a key that was made a moment ago, the one time that anybody sees it. Nothing keeps it when the dialog is gone. */
export function ValueDialog({ made, onClose }: { readonly made: NewApiKey; readonly onClose: () => void }) {
  const [warned, setWarned] = useState(false)
  const value = useRef<HTMLElement>(null)
  const trial = useTrial(made.account ?? null)
  useEffect(() => {
    const { current } = value
    if (current) window.getSelection()?.selectAllChildren(current)
    // A reload would lose it: the browser asks, in words of its own.
    const leave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', leave)
    return () => window.removeEventListener('beforeunload', leave)
  }, [])
  return (
    <Dialog
      title={`Key for “${made.name}”`}
      about="This is the only time that it is shown."
      onClose={onClose}
      mayClose={() => {
        setWarned(true)
        return warned
      }}
      foot={
        <>
          <Copy text={made.key} label="Copy value" />
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </>
      }
    >
      <Note kind="warn">Store it now. Nobody can show it again; if it is lost, make another one.</Note>
      <div class="field">
        <span class="label">Value</span>
        <code ref={value} class="code secret">
          {made.key}
        </code>
      </div>
      {trial === null ? null : (
        <div class="field">
          <span class="label">Try it</span>
          <div class="command">
            <code class="code">{trial}</code>
            <Copy text={trial} label="Copy command" bare />
          </div>
          <span class="hint">It waits for the value: paste it and press Enter. So it stays out of the shell’s history.</span>
        </div>
      )}
      {warned ? (
        <Note kind="bad" alert>
          Is it stored? Once more Escape, and it is gone for good.
        </Note>
      ) : null}
    </Dialog>
  )
}
