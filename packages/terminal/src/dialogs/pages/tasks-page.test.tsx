import { BackgroundTasks } from '@qwen/tools';
import { type ReactNode, useSyncExternalStore } from 'react';
import { expect, test } from 'vitest';
import { ComponentFixture, KEYS } from '../../../test/component-fixture.js';
import { PrintedLines } from '../../../test/session-fixture.js';
import { KeyMap } from '../../composer/key-map.js';
import { ScreenKeys } from '../../screen/screen-keys.js';
import type { TerminalSession } from '../../session/terminal-session.js';
import { TransientHint } from '../../session/transient-hint.js';
import { reduceEvent } from '../../state/reduce-event.js';
import { firstState } from '../../state/terminal-state.js';
import { TerminalStore } from '../../state/terminal-store.js';
import { Transcript } from '../../transcript/transcript.js';
import type { PageProps } from './page.js';
import { TasksPage } from './tasks-page.js';

/** Drawn again when the state changes, as by the screen. */
function Screen({ session, onClose }: Pick<PageProps, 'session' | 'onClose'>): ReactNode {
  const { store } = session;
  useSyncExternalStore(store.subscribe, store.getState);
  return <TasksPage {...{ session, onClose }} columns={80} rows={20} />;
}

test('Ctrl-B moves the running command to the background; /tasks shows its output and stops it', async () => {
  const background = new BackgroundTasks();
  const store = new TerminalStore(firstState({ model: 'm', permissionMode: 'default' }));
  background.subscribe((event) => store.update((state) => reduceEvent(state, event, 0)));
  const session = Object.assign(new PrintedLines(), { host: { background }, store }) as unknown as TerminalSession;
  const hint = new TransientHint(store);
  const keys = new ScreenKeys({
    session,
    hint,
    map: new KeyMap(),
    columns: () => 80,
    transcript: new Transcript({ columns: () => 80, isScreenReader: false, folder: '/' }),
  });
  expect(keys.moveToBackground()).toBe(false);
  const running = background.start({
    callId: 'c1',
    command: 'npm run dev',
    isBackground: false,
    signal: new AbortController().signal,
    run: async (task) => {
      task.push(Buffer.from('ready on 8080\n'));
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
    },
    describe: () => ({ status: 'stopped', notes: ['stopped'] }),
  });
  expect(keys.moveToBackground()).toBe(true);
  expect(store.getState().hint).toContain('/tasks');
  hint.close();
  await running;

  let isOpen = true;
  const onClose = () => void (isOpen = false);
  await using fixture = new ComponentFixture(<Screen {...{ session, onClose }} />);
  expect(await fixture.until('npm run dev')).toMatch(/1\. \S+ +running for/);
  fixture.type('1');
  await fixture.until('Stop it');
  fixture.type('1');
  await fixture.until('ready on 8080');
  fixture.type(KEYS.escape);
  await fixture.until('Stop it');
  fixture.type('2');
  await expect.poll(() => background.list()).toMatchObject([{ status: 'stopped' }]);
  await fixture.until((screen) => /1\. .*stopped after/.test(screen));
  fixture.type(KEYS.escape);
  await expect.poll(() => isOpen).toBe(false);
});
