// Renders the nodes of blocks in the editor.

import { ImageOff, Lock, X } from 'lucide-react'
import { Transforms } from 'slate'
import {
  ReactEditor,
  type RenderElementProps,
  type RenderLeafProps,
  useFocused,
  useReadOnly,
  useSelected,
  useSlateStatic,
} from 'slate-react'
import { useTranslations } from 'use-intl'
import { start } from '../../api/start.ts'
import { Button } from '../../ui/button.tsx'
import { followedAddress, isShownImage } from '../text-addresses.ts'
import styles from './blocks.module.css'
import type { ElementNode, ImageNode } from './nodes.ts'

export function BlockElement(props: RenderElementProps) {
  const { element, attributes, children } = props
  switch (element.type) {
    case 'heading': {
      const Heading = `h${element.level}` as 'h1'
      return <Heading {...attributes}>{children}</Heading>
    }
    case 'quote':
      return <blockquote {...attributes}>{children}</blockquote>
    case 'code':
      return (
        <pre {...attributes}>
          <code>{children}</code>
        </pre>
      )
    case 'list':
      return <ListElement {...props} />
    case 'list-item':
      return <li {...attributes}>{children}</li>
    case 'link':
      return <LinkElement {...props} />
    case 'image':
    case 'kept':
      return <VoidElement {...props} />
    default:
      return <p {...attributes}>{children}</p>
  }
}

/** A list below another one is within an item, since a list of HTML holds nothing else. */
function ListElement({ element, attributes, children }: RenderElementProps) {
  const editor = useSlateStatic()
  const List = element.type === 'list' && element.format === 'ordered' ? 'ol' : 'ul'
  const isNested = ReactEditor.findPath(editor, element).length > 1
  if (!isNested) return <List {...attributes}>{children}</List>
  return (
    <li {...attributes} className={styles.nested}>
      <List>{children}</List>
    </li>
  )
}

/** A link is edited, and not followed. One that could run a script is text. */
function LinkElement({ element, attributes, children }: RenderElementProps) {
  const t = useTranslations('blocks')
  const { url } = element as { readonly url: string }
  const address = followedAddress(url)
  if (address === null)
    return (
      <span {...attributes} className={styles.refused} title={t('refusedLink', { url })}>
        {children}
      </span>
    )
  return (
    <a {...attributes} href={address} title={url} onClick={event => event.preventDefault()}>
      {children}
    </a>
  )
}

function VoidElement({ element, attributes, children }: RenderElementProps) {
  const isSelected = useSelected()
  const isFocused = useFocused()
  return (
    <div {...attributes}>
      <div className={styles.object} contentEditable={false} data-selected={(isSelected && isFocused) || undefined}>
        {element.type === 'image' ? (
          <ImageObject image={element.image} />
        ) : (
          <KeptObject value={element.type === 'kept' ? element.value : null} />
        )}
        <RemoveButton element={element} />
      </div>
      {children}
    </div>
  )
}

function ImageObject({ image }: Pick<ImageNode, 'image'>) {
  const { url, alternativeText, caption, name } = image as Readonly<Record<string, string | null | undefined>>
  const isShown = isShownImage(String(url), start.mediaOrigins, location.origin)
  return (
    <figure className={styles.figure}>
      {isShown ? (
        <img src={String(url)} alt={alternativeText ?? ''} />
      ) : (
        <p className={styles.away}>
          <ImageOff aria-hidden="true" />
          <span>{String(url)}</span>
        </p>
      )}
      <figcaption>{caption || alternativeText || name}</figcaption>
    </figure>
  )
}

/** A block that nobody here knows. It can be moved past and removed, and stays as it is. */
function KeptObject({ value }: { readonly value: unknown }) {
  const t = useTranslations('blocks')
  return (
    <div className={styles.kept}>
      <p>
        <Lock aria-hidden="true" />
        {t('kept')}
      </p>
      <pre>{JSON.stringify(value)}</pre>
    </div>
  )
}

function RemoveButton({ element }: { readonly element: ElementNode }) {
  const t = useTranslations('blocks')
  const editor = useSlateStatic()
  const isReadOnly = useReadOnly()
  if (isReadOnly) return null
  const remove = () => {
    Transforms.removeNodes(editor, { at: ReactEditor.findPath(editor, element) })
    ReactEditor.focus(editor)
  }
  return (
    <div className={styles.remove}>
      <Button isSmall isIcon aria-label={t(element.type === 'image' ? 'removeImage' : 'removeBlock')} onPress={remove}>
        <X aria-hidden="true" />
      </Button>
    </div>
  )
}

export function Leaf({ leaf, attributes, children }: RenderLeafProps) {
  let marked = children
  if (leaf.code) marked = <code>{marked}</code>
  if (leaf.bold) marked = <strong>{marked}</strong>
  if (leaf.italic) marked = <em>{marked}</em>
  if (leaf.underline) marked = <u>{marked}</u>
  if (leaf.strikethrough) marked = <s>{marked}</s>
  return <span {...attributes}>{marked}</span>
}
