import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../form/button.tsx'
import { copyText } from './copy.ts'

/** Time for which the button says that it copied, in milliseconds: a choice of this project. */
const SHOWN_MS = 2000

/** Copies a text, and says so. `label` is what is copied: `Copy value`; `bare` shows the picture alone. */
export function Copy({ text, label = 'Copy', bare = false }: { readonly text: string; readonly label?: string; readonly bare?: boolean }) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (state !== 'copied') return
    const timer = window.setTimeout(() => setState('ready'), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [state])
  const copied = state === 'copied'
  return (
    <>
      <Button
        buttonRef={button}
        kind={bare ? 'quiet' : 'plain'}
        icon={copied ? 'check' : 'copy'}
        {...(bare ? { label } : {})}
        onClick={async () => {
          if (button.current) setState((await copyText(text, button.current)) ? 'copied' : 'refused')
        }}
      >
        {bare ? undefined : copied ? 'Copied' : label}
      </Button>
      <span class="hidden-visually" role="status">
        {copied ? 'Copied' : ''}
      </span>
      {state === 'refused' ? <span class="small muted">The browser refused; select the text and press Ctrl+C.</span> : null}
    </>
  )
}
