import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../form/button.tsx'
import { Note } from '../notice/note.tsx'
import { Copy } from '../value/copy-button.tsx'
import { Dialog } from './dialog.tsx'

/** Shows what was made a moment ago, the one time that anybody sees it. Nothing keeps it when the dialog is gone. `noun` is what it is: `Value`. */
export function SecretDialog({
  title,
  noun,
  text,
  lost,
  onClose,
  children,
}: {
  readonly title: string
  readonly noun: string
  readonly text: string
  /** Advice for when the secret is lost, in a sentence. */
  readonly lost: string
  readonly onClose: () => void
  /** Text on how the secret is used. */
  readonly children?: ComponentChildren
}) {
  const [warned, setWarned] = useState(false)
  const value = useRef<HTMLElement>(null)
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
      title={title}
      about="This is the only time that it is shown."
      onClose={onClose}
      mayClose={() => {
        setWarned(true)
        return warned
      }}
      foot={
        <>
          <Copy text={text} label={`Copy ${noun.toLowerCase()}`} />
          <Button kind="primary" onClick={onClose}>
            I have stored it
          </Button>
        </>
      }
    >
      <Note kind="warn">Store it now. Nobody can show it again; {lost}</Note>
      <div class="field">
        <span class="label">{noun}</span>
        <code ref={value} class="code secret">
          {text}
        </code>
      </div>
      {children}
      {warned ? (
        <Note kind="bad" alert>
          Is it stored? Once more Escape, and it is gone for good.
        </Note>
      ) : null}
    </Dialog>
  )
}
