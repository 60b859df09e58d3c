import { useRef, useState } from 'preact/hooks'
import { short } from '../../text/short.ts'
import { Tip } from '../layout/tip.tsx'
import { copyText } from './copy.ts'

/** An address, hash or id: shown short, whole on hover and focus, copied whole by a click, Enter, or when it is selected. `whole` shows all of it at once. */
export function Address({
  text,
  what = 'address',
  whole = false,
}: {
  readonly text: string
  readonly what?: string
  readonly whole?: boolean
}) {
  const button = useRef<HTMLButtonElement>(null)
  const label = whole ? text : short(text)
  const [copied, setCopied] = useState<boolean | null>(null)
  return (
    <Tip text={copied === null ? text : copied ? 'Copied' : 'The browser refused; select the text and press Ctrl+C.'}>
      {(handlers) => (
        <>
          <button
            ref={button}
            type="button"
            class={whole ? 'address mono whole' : 'address mono'}
            // What is seen has to be part of what is heard, for those who say it: WCAG 2.5.3.
            aria-label={label === text ? `Copy ${what} ${text}` : `${label}, copy ${what} ${text}`}
            onMouseEnter={handlers.onMouseEnter}
            onFocus={handlers.onFocus}
            onMouseLeave={() => {
              setCopied(null)
              handlers.onMouseLeave()
            }}
            onBlur={() => {
              setCopied(null)
              handlers.onBlur()
            }}
            onCopy={(event) => {
              event.clipboardData?.setData('text/plain', text)
              event.preventDefault()
            }}
            onClick={async (event) => {
              event.stopPropagation()
              if (button.current) setCopied(await copyText(text, button.current))
            }}
          >
            {label}
          </button>
          <span class="hidden-visually" role="status">
            {copied ? 'Copied' : ''}
          </span>
        </>
      )}
    </Tip>
  )
}
