import { RESPONSES } from '../../test/families.js';
import { describeModelContract } from '../model.contract.js';

describeModelContract(RESPONSES);
