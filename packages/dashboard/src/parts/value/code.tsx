import { Copy } from './copy-button.tsx'

/** Lines to be copied as they stand. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="command">
      <code class="code">{text}</code>
      <Copy text={text} label={label} bare />
    </div>
  )
}
