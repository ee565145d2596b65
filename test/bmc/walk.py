"""Walks a Redfish service with Debian's sushy: an independent client, which says whether the service is a proper one.

Called with the address, the user name and the password; prints what it saw as JSON.
"""

import json
import sys

import sushy
from sushy import auth

address, username, password, method = sys.argv[1:]
way_in = {
    'session': lambda: auth.SessionAuth(username, password),
    'basic': lambda: auth.BasicAuth(username, password),
    'auto': lambda: auth.SessionOrBasicAuth(username, password),
}[method]()
root = sushy.Sushy(address, auth=way_in, verify=True)

systems = root.get_system_collection().get_members()
system = systems[0]
seen = {
    'redfish': root.redfish_version,
    'systems': [one.identity for one in systems],
    'uuid': system.uuid,
    'vendor': [system.json[one] for one in ('Manufacturer', 'Model', 'SerialNumber')],
    'before': str(system.power_state.value),
    'resets': sorted(one.value for one in system.get_allowed_reset_system_values()),
    'targets': sorted(one.value for one in system.get_allowed_system_boot_source_values()),
    'memory_gib': system.memory_summary.size_gib,
    'threads': sum(one.total_threads for one in system.processors.get_members()),
    'instruction_set': str(system.processors.get_members()[0].instruction_set.value),
    'nics': {nic.mac_address: nic.speed_mbps for nic in system.ethernet_interfaces.get_members()},
    'macs': sorted(system.ethernet_interfaces.summary),
    'drives': sorted(system.storage.drives_sizes_bytes),
    'volumes': sorted(system.storage.volumes_sizes_bytes),
    'secure_boot': system.secure_boot.enabled,
    'chassis': [one.identity for one in root.get_chassis_collection().get_members()],
    'adapters': [adapter.identity for one in system.chassis for adapter in one.network_adapters.get_members()],
    'controllers': [one.name for unit in system.storage.get_members() for one in unit.storage_controllers],
    'managers': [one.identity for one in root.get_manager_collection().get_members()],
}

system.set_system_boot_options(
    target=sushy.BOOT_SOURCE_TARGET_PXE, enabled=sushy.BOOT_SOURCE_ENABLED_ONCE)
system.secure_boot.set_enabled(True)
system.reset_system(sushy.RESET_ON)
system.refresh(force=True)
seen['boot'] = [system.boot.target.value, system.boot.enabled.value, system.boot.mode.value]
seen['after'] = str(system.power_state.value)
system.secure_boot.refresh(force=True)
seen['secure_boot_after'] = system.secure_boot.enabled

medium = next(one for one in root.get_manager_collection().get_members()[0].virtual_media.get_members()
              if sushy.VIRTUAL_MEDIA_CD in one.media_types)
medium.insert_media('http://images.example/a.iso')
medium.refresh(force=True)
seen['inserted'] = [medium.image, medium.inserted]
medium.eject_media()
medium.refresh(force=True)
seen['ejected'] = [medium.image, medium.inserted]
system.set_indicator_led(sushy.INDICATOR_LED_LIT)
system.refresh(force=True)
seen['light'] = system.indicator_led.value

try:
    system.reset_system('NoSuchReset')
except sushy.exceptions.InvalidParameterValueError:
    seen['refuses'] = True

if method != 'basic':
    service = root.get_session_service()
    seen['session_timeout'] = service.session_timeout
    seen['sessions'] = len(service.sessions.get_members())
    way_in.close()

print(json.dumps(seen))
