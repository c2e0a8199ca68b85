// The buttons of the Markdown editor.

import type { StateCommand } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { Bold, Code, Heading, Image, Italic, Link, List, ListOrdered, Quote, Strikethrough } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { usePickMedia } from '../../form/pick-media.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Tool, Toolbar, ToolGroup } from '../../ui/toolbar.tsx'
import * as commands from './commands.ts'

type Name = 'bold' | 'italic' | 'strike' | 'code' | 'bullets' | 'numbers' | 'quote' | 'link'

interface Button {
  readonly name: Name
  readonly icon: ReactNode
  readonly keys?: string
  readonly run: StateCommand
}

const marks: readonly Button[] = [
  { name: 'bold', icon: <Bold aria-hidden="true" />, keys: 'Mod+B', run: commands.toggleMark('**') },
  { name: 'italic', icon: <Italic aria-hidden="true" />, keys: 'Mod+I', run: commands.toggleMark('_') },
  {
    name: 'strike',
    icon: <Strikethrough aria-hidden="true" />,
    keys: 'Mod+Shift+X',
    run: commands.toggleMark('~~'),
  },
  { name: 'code', icon: <Code aria-hidden="true" />, keys: 'Mod+E', run: commands.toggleCode },
]

const lines: readonly Button[] = [
  { name: 'bullets', icon: <List aria-hidden="true" />, run: commands.toggleBullets },
  { name: 'numbers', icon: <ListOrdered aria-hidden="true" />, run: commands.toggleNumbers },
  { name: 'quote', icon: <Quote aria-hidden="true" />, run: commands.toggleQuote },
]

const link: Button = {
  name: 'link',
  icon: <Link aria-hidden="true" />,
  keys: 'Mod+Shift+K',
  run: commands.insertLink,
}

const levels = [1, 2, 3, 4] as const

interface ToolsProps {
  readonly view: EditorView
  readonly isDisabled: boolean
}

export function MarkdownTools({ view, isDisabled }: ToolsProps) {
  const t = useTranslations('markdown')
  const run = (command: StateCommand) => {
    command(view)
    view.focus()
  }
  const toolOf = ({ name, icon, keys, run: command }: Button) => (
    <Tool
      key={name}
      label={t(`tools.${name}`)}
      icon={icon}
      isDisabled={isDisabled}
      onPress={() => run(command)}
      {...(keys && { keys })}
    />
  )
  return (
    <Toolbar label={t('toolbar')}>
      <ToolGroup>
        <Menu
          trigger={<Tool label={t('tools.heading')} icon={<Heading aria-hidden="true" />} isDisabled={isDisabled} />}
          label={t('tools.heading')}
          placement="bottom start"
        >
          {levels.map(level => (
            <MenuItem key={level} onAction={() => run(commands.toggleHeading(level))}>
              {t('heading', { level })}
            </MenuItem>
          ))}
        </Menu>
        {marks.map(toolOf)}
      </ToolGroup>
      <ToolGroup>{lines.map(toolOf)}</ToolGroup>
      <ToolGroup>
        {toolOf(link)}
        <ImageTool view={view} isDisabled={isDisabled} />
      </ToolGroup>
    </Toolbar>
  )
}

function ImageTool({ view, isDisabled }: ToolsProps) {
  const t = useTranslations('markdown')
  const pickMedia = usePickMedia()
  if (pickMedia === null) return null
  const insert = async () => {
    const files = await pickMedia({ kinds: ['images'], isMultiple: true })
    if (files.length > 0)
      commands.insertImages(files.map(file => ({ url: file.url, text: file.alternativeText || file.name })))(view)
    view.focus()
  }
  return (
    <Tool
      label={t('tools.image')}
      icon={<Image aria-hidden="true" />}
      isDisabled={isDisabled}
      onPress={() => void insert()}
    />
  )
}
