// The buttons of the blocks editor. They follow the cursor.

import {
  Bold,
  Code,
  Image,
  IndentDecrease,
  IndentIncrease,
  Italic,
  Link,
  List,
  ListOrdered,
  Strikethrough,
  Underline,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Editor } from 'slate'
import { ReactEditor, useSlate } from 'slate-react'
import { useTranslations } from 'use-intl'
import { usePickMedia } from '../../form/pick-media.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Tool, Toolbar, ToolGroup, ToolText } from '../../ui/toolbar.tsx'
import * as commands from './commands.ts'
import type { MarkName } from './nodes.ts'

const marks: readonly { readonly name: MarkName; readonly icon: ReactNode; readonly keys: string }[] = [
  { name: 'bold', icon: <Bold aria-hidden="true" />, keys: 'Mod+B' },
  { name: 'italic', icon: <Italic aria-hidden="true" />, keys: 'Mod+I' },
  { name: 'underline', icon: <Underline aria-hidden="true" />, keys: 'Mod+U' },
  { name: 'strikethrough', icon: <Strikethrough aria-hidden="true" />, keys: 'Mod+Shift+X' },
  { name: 'code', icon: <Code aria-hidden="true" />, keys: 'Mod+E' },
]

const kinds = [
  'paragraph',
  'heading1',
  'heading2',
  'heading3',
  'heading4',
  'heading5',
  'heading6',
  'quote',
  'code',
] as const
type Kind = (typeof kinds)[number]

const linesOf = (kind: Kind): commands.Lines =>
  kind.startsWith('heading')
    ? { type: 'heading', level: Number(kind.at(-1)) }
    : { type: kind as 'paragraph' | 'quote' | 'code' }

export function BlockTools({ onLink }: { readonly onLink: () => void }) {
  const t = useTranslations('blocks')
  const editor = useSlate()
  const run = (command: (editor: Editor) => void) => () => {
    ReactEditor.focus(editor)
    command(editor)
  }
  const toolOf = (name: 'unordered' | 'ordered', icon: ReactNode) => (
    <Tool
      label={t(`tools.${name}`)}
      icon={icon}
      isOn={commands.listFormatAt(editor) === name}
      onPress={run(() => commands.toggleList(editor, name))}
    />
  )
  const isInList = commands.listFormatAt(editor) !== null
  return (
    <Toolbar label={t('toolbar')}>
      <ToolGroup>
        <KindMenu onChoose={kind => run(() => commands.setLines(editor, linesOf(kind)))()} />
      </ToolGroup>
      <ToolGroup>
        {marks.map(({ name, icon, keys }) => (
          <Tool
            key={name}
            label={t(`tools.${name}`)}
            keys={keys}
            icon={icon}
            isOn={commands.isMarked(editor, name)}
            onPress={run(() => commands.toggleMark(editor, name))}
          />
        ))}
      </ToolGroup>
      <ToolGroup>
        {toolOf('unordered', <List aria-hidden="true" />)}
        {toolOf('ordered', <ListOrdered aria-hidden="true" />)}
        <Tool
          label={t('tools.outdent')}
          keys="Mod+["
          icon={<IndentDecrease aria-hidden="true" />}
          isDisabled={!isInList}
          onPress={run(commands.liftItem)}
        />
        <Tool
          label={t('tools.indent')}
          keys="Mod+]"
          icon={<IndentIncrease aria-hidden="true" />}
          isDisabled={!commands.canIndent(editor)}
          onPress={run(commands.indentItem)}
        />
      </ToolGroup>
      <ToolGroup>
        <Tool
          label={t('tools.link')}
          keys="Mod+Shift+K"
          icon={<Link aria-hidden="true" />}
          isOn={commands.linkAt(editor) !== null}
          onPress={onLink}
        />
        <ImageTool />
      </ToolGroup>
    </Toolbar>
  )
}

function KindMenu({ onChoose }: { readonly onChoose: (kind: Kind) => void }) {
  const t = useTranslations('blocks')
  const kind = commands.kindAt(useSlate())
  return (
    <Menu
      trigger={
        <ToolText label={t('kind')} text={kind === null ? t('kinds.paragraph') : t(`kinds.${kind as Kind | 'list'}`)} />
      }
      label={t('kind')}
      placement="bottom start"
    >
      {kinds.map(one => (
        <MenuItem key={one} onAction={() => onChoose(one)}>
          {t(`kinds.${one}`)}
        </MenuItem>
      ))}
    </Menu>
  )
}

function ImageTool() {
  const t = useTranslations('blocks')
  const editor = useSlate()
  const pickMedia = usePickMedia()
  if (pickMedia === null) return null
  const insert = async () => {
    const files = await pickMedia({ kinds: ['images'], isMultiple: true })
    if (files.length > 0)
      commands.insertImages(
        editor,
        files.map(file => ({ ...file })),
      )
    ReactEditor.focus(editor)
  }
  return <Tool label={t('tools.image')} icon={<Image aria-hidden="true" />} onPress={() => void insert()} />
}
